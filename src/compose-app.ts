import type Koa from 'koa';
import type { Context } from 'koa';
import { createRestFacade } from '../rest-facade/index.js';
import { createOpenApi } from '../rest-facade/openapi.js';
import type { FilePart } from '../rest-facade/streams/multipart-form.js';
import { admitAnnouncedUpload } from './artifacts/admit-upload.js';
import type { ArtifactContext } from './artifacts/artifact-context.js';
import { fileSizeLimit } from './artifacts/file-size-limit.js';
import { UploadStaging } from './artifacts/upload-staging.js';
import { readCatalogRevision } from './catalog/catalog-revision.js';
import type { Services } from './compose-services.js';
import { findDatabaseFault } from './database/open-database.js';
import { createSchema, prepareOperation } from './graphql-schema.js';
import { createCachedAdmission } from './http/admit-cached.js';
import { createApp } from './http/app.js';
import { addConsole, type ConsoleServices } from './http/console/console-pages.js';
import type { ReadAnonymousBody } from './http/graphql/graphql-body.js';
import { createGraphqlEndpoint } from './http/graphql/graphql-endpoint.js';
import { ownScalarsOf, printSdl } from './http/graphql/schema-documents.js';
import { createSubscriptionEndpoint } from './http/graphql/subscription-endpoint.js';
import type { IngestEndpointServices } from './http/ingest-endpoint.js';
import type { OAuthCallbackServices } from './http/oauth-callback.js';
import { createErrorReporter } from './http/report-error.js';
import { RequestAdmission } from './http/request-admission.js';
import { isJsonText, writeJson } from './kernel/entities/json-text.js';
import { AppError } from './kernel/errors.js';
import { IncomingFile } from './kernel/files/incoming-file.js';
import type { Logger } from './kernel/logger.js';
import type { RequestContext } from './kernel/reading/request-context.js';
import { requireFieldAccess } from './tenancy/access.js';
import { IdempotentExecutor } from './tenancy/idempotency/idempotent-executor.js';
import type { WorkspaceContext } from './tenancy/workspace-context.js';

/**
 * With `keepsReplies: false`, every read of the catalog queries the database. `stopping` is aborted when the service
 * stops.
 */
export async function composeApp(
  services: Services,
  log: Logger,
  baseUrl: () => string,
  { keepsReplies = true, stopping = new AbortController().signal } = {},
): Promise<Koa> {
  const { orm, readers } = services;
  const schema = await createSchema(orm.getMetadata());
  const report = createErrorReporter(log);
  const admission = new RequestAdmission(services);
  const answers = new IdempotentExecutor();
  const admit = (ctx: Context): Promise<RequestContext> =>
    ctx.get('Authorization') ? admission.admit(ctx) : admission.admitAnonymous(ctx);

  const receive = (file: FilePart): IncomingFile => new IncomingFile(file, fileSizeLimit(services.artifacts.maxBytes));

  const publicRevision = keepsReplies ? () => readCatalogRevision(readers.forPlatform()) : undefined;
  const staged = new UploadStaging(services.tableServices.folder);
  const restFacade = createRestFacade<RequestContext>({
    schema,
    prepare: (document) => prepareOperation(schema, document, report),
    json: { write: writeJson, isText: isJsonText },
    admitAnonymous: (ctx) => admission.admitAnonymous(ctx),
    admitCached: createCachedAdmission(admission, services.corsOrigins),
    admitCaller: (ctx) => admission.admitCaller(ctx),
    authorize: (context, field) => requireFieldAccess(context, field),
    executeOnce: (context, request, answer) => answers.execute(context as WorkspaceContext, request, answer),
    uploads: {
      admit: (context, announced) => admitAnnouncedUpload(context as ArtifactContext, announced),
      stage: (context, file) => staged.stage(context as ArtifactContext, receive(file).createReadStream()),
      receive,
      reject: (code, message) => new AppError(code, message),
    },
    baseUrl,
    ...(publicRevision && { publicRevision }),
  });
  const readBody: ReadAnonymousBody = (ctx, read) => admission.readBody(ctx, read);
  const graphql = await createGraphqlEndpoint(schema, admit, readBody, report, publicRevision);
  const subscriptions = createSubscriptionEndpoint({
    ...{ schema, report, admit, changes: services.changes, metrics: services.metrics },
    readmit: (ctx) => admission.readmit(ctx),
    readWithoutCaller: readBody,
  });
  const pool = await orm.em.getConnection().getNativeClient();
  let asking: Promise<AppError | undefined> | undefined;
  // Clients may poll the readiness at any rate, so concurrent requests share one statement.
  const findFault = (): Promise<AppError | undefined> =>
    (asking ??= findDatabaseFault(pool).finally(() => {
      asking = undefined;
    }));
  const oauthCallback: OAuthCallbackServices = {
    admit: (ctx) => admission.admitAnonymous(ctx),
    workspaceIdOf: (slug) => services.authentication.workspaceIdOf(slug),
    contextOf: (caller, ctx) => admission.contextOf(caller, ctx),
    baseUrl,
  };
  const ingestEndpoint: IngestEndpointServices = {
    ...{ ingest: services.ingest, limits: services.limits, baseUrl },
    admitAnonymous: (ctx) => admission.admitAnonymous(ctx),
    requireRemaining: (ctx) => admission.requireRemaining(ctx),
  };
  const consoleServices: ConsoleServices = {
    signIn: services.consoleSignIn,
    issueToken: services.issueToken,
    admit: (ctx) => admission.admitAnonymous(ctx),
  };
  const documents = [
    {
      ...{ path: '/api/openapi.json', type: 'application/json' },
      text: () => JSON.stringify(createOpenApi(schema, baseUrl())),
    },
    { path: '/graphql/schema.graphql', type: 'text/plain', text: () => printSdl(schema) },
    ...ownScalarsOf(schema).map((scalar) => ({ ...scalar, type: 'text/plain' })),
  ];
  const { metrics, corsOrigins } = services;
  const seen = { log, report, metrics, stopping, findFault };
  const endpoints = { graphql, subscriptions, oauthCallback, ingestEndpoint };
  return createApp({
    ...{ ...seen, ...endpoints, corsOrigins, documents, restFacade },
    addConsole: (router) => addConsole(router, consoleServices),
  });
}
