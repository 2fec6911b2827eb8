import { ApolloServer, type ApolloServerOptionsWithGateway, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { koaMiddleware } from '@as-integrations/koa';
import { GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import { detachLocations } from '../../kernel/document-locations.js';
import { recordExpectedTypes } from '../../kernel/graphql-request-fault.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import type { ReportError } from '../report-error.js';
import { cacheCatalogResponses } from './cached-responses.js';
import {
  acceptsGraphqlResponse,
  type CheckedDocument,
  checkGraphqlDocument,
  MAX_DOCUMENT_ERRORS,
} from './check-graphql-document.js';
import { checkGraphqlRequest } from './check-graphql-request.js';
import { DocumentCache } from './document-cache.js';
import { executeOperation } from './execute-operation.js';
import { formatGraphqlError } from './format-graphql-error.js';
import { type ReadAnonymousBody, readGraphqlBody } from './graphql-body.js';
import { writeLargeJson } from './write-large-json.js';

/** Limits the errors in a response, because a query may fail for each row that it reads. */
export const MAX_RESPONSE_ERRORS = 100;

interface GraphqlContext extends RequestContext {
  readonly checked?: CheckedDocument;
}

const ignore = (): void => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Introspection is available, because the schema is public. Without `publicRevision`, the endpoint caches no responses.
 */
export async function createGraphqlEndpoint(
  schema: GraphQLSchema,
  admit: (ctx: Context) => Promise<RequestContext>,
  readWithoutCaller: ReadAnonymousBody,
  report: ReportError,
  publicRevision?: () => Promise<string>,
): Promise<Middleware> {
  const documents = new DocumentCache(schema);
  const server = createServer(schema, documents, report);
  await server.start();
  const answer = koaMiddleware(server, { context: async ({ ctx }) => ctx.state.context as RequestContext });
  const answerAndEnd: Middleware = (ctx) => answer(ctx as never, async () => undefined);
  // Runs before Apollo, which would send a different status for a rejected request.
  const admitFirst: Middleware = async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.state.context = await admit(ctx);
    await next();
  };
  const checkDocument = checkGraphqlDocument((ctx, text) => {
    const checked = documents.read(text);
    Object.assign(ctx.state.context as GraphqlContext, { checked });
    return checked;
  });
  const cached = publicRevision ? [cacheCatalogResponses(schema, documents, publicRevision)] : [];
  return compose([admitFirst, readGraphqlBody(readWithoutCaller), checkDocument, ...cached, answerAndEnd]);
}

function createServer(
  schema: GraphQLSchema,
  documents: DocumentCache,
  report: ReportError,
): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    gateway: executeWith(schema, documents),
    documentStore: null,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stringifyResult: writeLargeJson,
    validationRules: [recordExpectedTypes],
    validationOptions: { maxErrors: MAX_DOCUMENT_ERRORS },
    // A browser sends these headers to another site only after a preflight. A form cannot set them.
    csrfPrevention: { requestHeaders: ['x-apollo-operation-name', 'apollo-require-preflight', 'authorization'] },
    stopOnTerminationSignals: false,
    logger: SILENT, // Apollo's own logger does not redact secrets.
    formatError: ({ path }, error) => formatGraphqlError(error, path),
    plugins: [
      // Without this plugin, Apollo would search every field for cache hints, which the schema lacks.
      ApolloServerPluginCacheControlDisabled(),
      setStatus200ForJson,
      forbidTransform,
      reuseDocument(documents),
      checkGraphqlRequest(schema, documents),
      reportErrors(report),
    ],
  });
}

type Gateway = ApolloServerOptionsWithGateway<RequestContext>['gateway'];

/** Replaces Apollo's execution, which would use graphql-js. */
function executeWith(schema: GraphQLSchema, documents: DocumentCache): Gateway {
  return {
    load: async () => ({
      executor: ({ document, operation, request, context }) =>
        executeOperation(schema, documents, {
          document,
          // `checkGraphqlRequest` rejects requests without an operation.
          operation: operation as OperationDefinitionNode,
          variables: request.variables ?? {},
          context: context as RequestContext,
        }) as never,
    }),
    onSchemaLoadOrUpdate: (use) => {
      use({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  };
}

/** Gives Apollo the parsed document, so that Apollo does not parse and validate a valid document again. */
function reuseDocument(documents: DocumentCache): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      // Earlier hooks of Apollo do not have the text of a persisted query.
      didResolveSource: async (requestContext) => {
        const { checked = documents.read(requestContext.source) } = requestContext.contextValue as GraphqlContext;
        const { document } = checked;
        Object.assign(requestContext, { document });
      },
      parsingDidStart: async (requestContext) => async () => {
        if (requestContext.document) detachLocations(requestContext.document);
      },
    }),
  };
}

function reportErrors(report: ReportError): ApolloServerPlugin<RequestContext> {
  return {
    unexpectedErrorProcessingRequest: async ({ requestContext, error }) =>
      report(error, requestContext.contextValue.requestId),
    requestDidStart: async ({ contextValue }) => ({
      didEncounterErrors: async ({ errors }) => {
        for (const error of errors) report(error, contextValue.requestId);
        // Apollo sends this array, so the plugin truncates it in place.
        (errors as GraphQLError[]).splice(MAX_RESPONSE_ERRORS);
      },
    }),
  };
}

/**
 * With `application/json`, a well-formed HTTP request returns 200 even for an invalid document (GraphQL over HTTP,
 * section 6.4.1). With `application/graphql-response+json`, Apollo's status 400 is correct.
 */
const setStatus200ForJson: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async ({ request }) => ({
    willSendResponse: async ({ response }) => {
      const isPrecise = acceptsGraphqlResponse(request.http?.headers.get('accept') ?? '');
      if (response.http.status === 400 && !isPrecise) response.http.status = 200;
    },
  }),
};

/**
 * Prevents the compression of responses to mutations. A mutation can return a secret together with input of the caller,
 * so the length of the compressed response would reveal the secret (BREACH).
 */
const forbidTransform: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ operation, response }) => {
      if (operation?.operation === 'mutation') response.http.headers.set('cache-control', 'no-store, no-transform');
    },
  }),
};
