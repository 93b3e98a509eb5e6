import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { encodingOfMark, decodeText, wideEncoding } from '../text/decode-text';
import { UnreadableDocument } from '../unreadable-document';

/** An element with its local name. Namespace prefixes are ignored, because every document chooses its own. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without the text of its children. */
  readonly text: string;
}

/** An invoice of 10,000 lines has about 600,000 elements and attributes. */
const MARKS_MAX = 1_000_000;
const DEPTH_MAX = 60;
const ATTRIBUTES = ':@';
const TEXT = '#text';

/** Elements that are not read: invoice lines and attachments, which make up most of a long invoice. */
const PASSED_OVER = [
  'InvoiceLine',
  'CreditNoteLine',
  'IncludedSupplyChainTradeLineItem',
  'EmbeddedDocumentBinaryObject',
  'AttachmentBinaryObject',
  'Attachment',
  'DettaglioLinee',
  'Allegati',
];

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

type Ordered = Record<string, unknown>;

/**
 * Parses XML and returns the root element. Only the predefined entities are expanded. A document that
 * declares entities is refused before it is parsed.
 *
 * @throws UnreadableDocument `damaged` if it is not well-formed or declares entities, `too-large`
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  const xml = decodeText(bytes, declaredEncoding(bytes)).trimStart();
  if (xml.includes('<!ENTITY')) throw new UnreadableDocument('damaged', 'the XML declares entities');
  if (hasTooManyMarks(xml)) throw new UnreadableDocument('too-large', 'the XML has too many elements');
  const ordered = parse(xml);
  const root = ordered.map(elementOf).find((element) => element !== undefined);
  if (!root) throw damaged();
  return root;
}

/**
 * Returns the encoding in `<?xml version="1.0" encoding="ISO-8859-8"?>`. The declaration is ASCII unless
 * there is a byte order mark.
 */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  if (encodingOfMark(bytes) ?? wideEncoding(bytes)) return undefined;
  const beginning = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^\s*<\?xml[^>]{0,100}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(beginning)?.[1];
}

function hasTooManyMarks(xml: string): boolean {
  let marks = 0;
  for (const mark of ['<', '="', "='"])
    for (let at = xml.indexOf(mark); at !== -1 && marks <= MARKS_MAX; at = xml.indexOf(mark, at + 1)) marks++;
  return marks > MARKS_MAX;
}

function parse(xml: string): Ordered[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: DEPTH_MAX,
    stopNodes: PASSED_OVER.map((name) => `..${name}`),
  });
  try {
    // The parser stops at elements that are nested too deep. The validator detects truncation.
    const ordered = parser.parse(xml) as Ordered[];
    if (XMLValidator.validate(xml) === true) return ordered;
  } catch {
    throw damaged();
  }
  throw damaged();
}

function damaged(): UnreadableDocument {
  return new UnreadableDocument('damaged', 'the XML is not well-formed');
}

function elementOf(ordered: Ordered): XmlElement | undefined {
  const name = Object.keys(ordered).find((key) => key !== ATTRIBUTES && key !== TEXT);
  if (name === undefined) return undefined;
  const content = ordered[name] as Ordered[];
  const isPassedOver = PASSED_OVER.includes(name);
  const attributes = (ordered[ATTRIBUTES] ?? {}) as Record<string, string>;
  return {
    name,
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, decoded(value)])),
    children: content.map(elementOf).filter((child) => child !== undefined),
    text: isPassedOver ? '' : textOf(content),
  };
}

function textOf(content: readonly Ordered[]): string {
  const parts = content.map((part) => part[TEXT]).filter((text) => typeof text === 'string');
  return decoded(parts.join('')).replace(/\s+/g, ' ').trim();
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, ...groups) => {
    const [decimal, hexadecimal, name] = groups as (string | undefined)[];
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Returns the elements at a path such as `Party/PartyName/Name`. A step `A|B` matches either name. */
export function elementsAt(root: XmlElement | undefined, path: string): XmlElement[] {
  let found = root ? [root] : [];
  for (const step of path.split('/')) {
    const names = step.split('|');
    found = found.flatMap(({ children }) => children.filter(({ name }) => names.includes(name)));
  }
  return found;
}

export function elementAt(root: XmlElement | undefined, path: string): XmlElement | undefined {
  return elementsAt(root, path)[0];
}

/** Returns the first non-empty text at the paths. The last step may be `@name` for an attribute. */
export function textAt(root: XmlElement | undefined, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = textsAt(root, path).find((one) => one !== '');
    if (text !== undefined) return text;
  }
  return undefined;
}

export function textsAt(root: XmlElement | undefined, path: string): string[] {
  const [, steps = '', attribute] = /^(.*?)\/?(?:@(\w+))?$/.exec(path) ?? [];
  const elements = steps === '' && root ? [root] : elementsAt(root, steps);
  return elements.map(({ text, attributes }) => (attribute ? (attributes[attribute] ?? '') : text));
}
