import { hash } from 'node:crypto';
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, specifiedRules, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { recordExpectedTypes } from '../../kernel/graphql-request-fault.js';
import { type CheckedDocument, checkDocument } from './check-graphql-document.js';
import { type CompiledOperation, compileClientQuery } from './compile-operation.js';

/** Maximum number of kept documents, and of their characters: a document takes up to 100 bytes per character. */
const MAX_DOCUMENTS = 500;
const MAX_CHARACTERS = 512 * 1024;

/** Texts whose first request is remembered. */
const MAX_SEEN_TEXTS = 10_000;

/**
 * Parses, checks and compiles each document once. A document is kept from its second request on, and compiled then, so
 * that a flood of different documents neither evicts the documents of other callers nor makes the service compile them.
 */
export class DocumentCache {
  readonly #seen = new LRUCache<string, true>({ max: MAX_SEEN_TEXTS });
  readonly #kept = new LRUCache<string, CheckedDocument>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length || 1,
  });
  readonly #keptDocuments = new WeakSet<DocumentNode>();
  readonly #compiled = new WeakMap<OperationDefinitionNode, CompiledOperation | undefined>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** Number of kept documents. */
  get size(): number {
    return this.#kept.size;
  }

  /** The document, or the limits that it exceeds. Apollo Server reports other errors. */
  read(text: string): CheckedDocument {
    const kept = this.#kept.get(text);
    if (kept) return kept;
    const checked = checkDocument(this.schema, text);
    const { document } = checked;
    if (!document) return checked;
    const errors = validate(this.schema, document, [...specifiedRules, recordExpectedTypes], { maxErrors: 1 });
    if (errors.length > 0) return { errors: [] };
    if (this.#isRepeated(text)) {
      this.#kept.set(text, checked);
      this.#keptDocuments.add(document);
    }
    return checked;
  }

  /** The compiled operation; undefined if graphql-js executes it. */
  compiled(document: DocumentNode, operation: OperationDefinitionNode): CompiledOperation | undefined {
    if (!this.#keptDocuments.has(document)) return undefined;
    if (!this.#compiled.has(operation))
      this.#compiled.set(operation, compileClientQuery(this.schema, document, operation));
    return this.#compiled.get(operation);
  }

  #isRepeated(text: string): boolean {
    const digest = hash('sha256', text, 'base64url');
    const isRepeated = this.#seen.has(digest);
    this.#seen.set(digest, true);
    return isRepeated;
  }
}
