import { hash } from 'node:crypto';
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type CheckedDocument, checkDocument, VALIDATION_RULES } from './check-graphql-document.js';
import { type CompiledOperation, compileClientQuery } from './compile-operation.js';
import { type CostCheck, createCostCheck } from './operation-cost.js';

/** A cached document takes up to 100 bytes of memory per character. */
const MAX_DOCUMENTS = 500;
const MAX_CHARACTERS = 512 * 1024;

/** Maximum number of documents whose hash the cache remembers after their first request. */
const MAX_SEEN_TEXTS = 10_000;

/**
 * Caches parsed, checked and compiled documents. Stores and compiles a document at its second request. A flood of
 * different documents therefore evicts no other documents and causes no compilation.
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
  readonly #costs = new WeakMap<OperationDefinitionNode, CostCheck>();

  constructor(private readonly schema: GraphQLSchema) {}

  get size(): number {
    return this.#kept.size;
  }

  /**
   * Returns the document, or the limits that it exceeds. Returns neither for a malformed or invalid document, because
   * Apollo Server reports the errors of such a document.
   */
  read(text: string): CheckedDocument {
    const kept = this.#kept.get(text);
    if (kept) return kept;
    const checked = checkDocument(this.schema, text);
    const { document } = checked;
    if (!document) return checked;
    const errors = validate(this.schema, document, VALIDATION_RULES, { maxErrors: 1 });
    if (errors.length > 0) return { errors: [] };
    if (this.#isRepeated(text)) {
      this.#kept.set(text, checked);
      this.#keptDocuments.add(document);
    }
    return checked;
  }

  isKept(document: DocumentNode): boolean {
    return this.#keptDocuments.has(document);
  }

  /** Returns undefined if graphql-js must execute the operation. */
  compiled(document: DocumentNode, operation: OperationDefinitionNode): CompiledOperation | undefined {
    if (!this.isKept(document)) return undefined;
    if (!this.#compiled.has(operation))
      this.#compiled.set(operation, compileClientQuery(this.schema, document, operation));
    return this.#compiled.get(operation);
  }

  /** Throws BAD_REQUEST if the operation may return too many objects with these variables. */
  checkCost(document: DocumentNode, operation: OperationDefinitionNode, variables: Record<string, unknown>): void {
    const check = this.#costs.get(operation) ?? createCostCheck(this.schema, document, operation);
    this.#costs.set(operation, check);
    check(variables);
  }

  #isRepeated(text: string): boolean {
    const digest = hash('sha256', text, 'base64url');
    const isRepeated = this.#seen.has(digest);
    this.#seen.set(digest, true);
    return isRepeated;
  }
}
