import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const IntegrationClass = wireEnum('IntegrationClass', 'How data is extracted.', {
  api: 'By calling an API.',
  database: 'By querying a database.',
  file: 'From files.',
  collector: 'The source sends; nothing is called.',
  agent: 'By a program in the customer network.',
});
export type IntegrationClass = keyof typeof IntegrationClass;

export const ProtocolType = wireEnum('ProtocolType', 'What is spoken with the source.', {
  rest: 'REST over HTTP.',
  graphql: 'GraphQL over HTTP.',
  soap: 'SOAP.',
  webhook: 'Webhooks that the source sends.',
  otlp: 'OpenTelemetry protocol.',
  agent: "An agent's own protocol.",
  jdbc: 'A database connection.',
  file: 'Files.',
});
export type ProtocolType = keyof typeof ProtocolType;
