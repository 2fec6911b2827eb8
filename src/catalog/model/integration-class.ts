import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const IntegrationClass = wireEnum('IntegrationClass', 'How the service receives the data of a source.', {
  api: 'Calls to an API.',
  database: 'Queries to a database.',
  file: 'Files.',
  collector: 'The source pushes the data.',
  agent: "An agent (a program in the customer's network) sends the data.",
});
export type IntegrationClass = keyof typeof IntegrationClass;

export const ProtocolType = wireEnum('ProtocolType', 'Protocol of a source.', {
  rest: 'REST over HTTP.',
  graphql: 'GraphQL over HTTP.',
  soap: 'SOAP.',
  webhook: 'Webhooks.',
  otlp: 'OpenTelemetry protocol.',
  agent: "Protocol of an agent, a program in the customer's network.",
  jdbc: 'JDBC connection to a database.',
  file: 'Files.',
});
export type ProtocolType = keyof typeof ProtocolType;
