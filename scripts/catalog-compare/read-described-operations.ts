import type { DescribedOperation } from './described-operation.js';
import { discoveryOperations } from './discovery-operations.js';
import type { Documents } from './documents.js';
import { openApiOperations } from './openapi-operations.js';

/** Reads an OpenAPI 2 or 3 file or a Google discovery document. `basePath` overrides the base path of the file. */
export function readDescribedOperations(
  documents: Documents,
  file: string,
  basePath: string | undefined,
): DescribedOperation[] {
  const document = documents.read(file);
  const { resolve: follow } = documents;
  if ('discoveryVersion' in document) return discoveryOperations(document, follow, basePath);
  if ('openapi' in document || 'swagger' in document) return openApiOperations(document, follow, basePath);
  throw new Error('The file is not an OpenAPI or Google discovery document.');
}
