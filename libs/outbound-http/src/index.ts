export { NodeOutboundHttp, type NodeOutboundHttpOptions } from './node-outbound-http';
export { OutboundError, type OutboundFailure } from './outbound-error';
export { OutboundHttp, type OutboundRequest, type OutboundResponse } from './outbound-http';
export { OutboundHttpModule } from './outbound-http.module';
