import { DOCUMENT_TYPES, type DocumentType, parseDocumentType } from '@counterfoil/documents';
import { AppError } from '@counterfoil/kernel';
import { Injectable, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** As the documentation writes them in paths. */
const WRITTEN_TYPES = DOCUMENT_TYPES.map((type) => type.toLowerCase().replaceAll('_', '-')).join(', ');

/** The type of document in a path. An unknown one is an unknown path (contract §8.1). */
@Injectable()
export class DocumentTypePipe implements PipeTransform<string, DocumentType> {
  transform(text: string): DocumentType {
    const type = parseDocumentType(text);
    if (!type) throw new AppError('NOT_FOUND', `no such document type: it is one of ${WRITTEN_TYPES}`);
    return type;
  }
}

/** The same, of a request to a path with `:type`. */
export function documentTypeIn({ params }: FastifyRequest): DocumentType {
  return new DocumentTypePipe().transform((params as { readonly type: string }).type);
}
