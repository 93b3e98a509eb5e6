export { NodeOutboundHttp } from './node-outbound-http';
export { OutboundError, type OutboundFailure } from './outbound-error';
export { NotAdmitted, OutboundHttp, type OutboundRequest, type OutboundResponse } from './outbound-http';
export { OutboundHttpModule } from './outbound-http.module';
