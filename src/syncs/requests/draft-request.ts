import type { GraphqlConfig, RestConfig } from '../../catalog/model/transport-option.js';
import { escapeMarkup } from '../../kernel/formats/escape-markup.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { fillTemplates, fillTextWith, withFields } from './fill-templates.js';
import { withParentFilter } from './parent-filter.js';
import type { RequestDraft } from './request-draft.js';
import { type TemplateValues, templateValues } from './template-values.js';
import { windowTimes, withWindow } from './window-parameters.js';

/** Without pagination parameters. Throws `TapReadError`. */
export function draftRequest(reading: TapReading): RequestDraft {
  const { apiType, restConfig, graphqlConfig } = reading.option;
  const values = templateValues(reading, windowTimes(reading));
  const config = apiType === 'graphql' ? graphqlConfig : restConfig;
  if (!config) throw new TapReadError('contract', 'fail_tap', `The tap has no settings for its ${apiType} request.`);
  const draft = apiType === 'graphql' ? draftGraphql(config, reading, values) : draftRest(config, reading, values);
  const headers = { ...draft.headers, ...quotaUserOf(reading) };
  return withParentFilter(withWindow({ ...draft, headers }, reading), reading);
}

/** Returns the header that names the user whose quota the vendor charges. */
function quotaUserOf({ tap, variables, parentFields }: TapReading): Record<string, unknown> {
  const { quotaUserHeader, impersonateField } = tap.perParentAuth ?? {};
  const user = impersonateField && (variables[impersonateField] ?? parentFields[impersonateField]);
  return quotaUserHeader && user ? { [quotaUserHeader]: user } : {};
}

function draftRest(config: RestConfig, { wildcard }: TapReading, values: TemplateValues): RequestDraft {
  const { endpoint = '', method = 'GET', headers = {}, queryParams = {}, requestBody, bodyEncoding } = config;
  const isText = bodyEncoding === 'xml' || bodyEncoding === 'text';
  const fill = (part: unknown) => fillTemplates(part, values, wildcard);
  return {
    method: method.toUpperCase(),
    path: endpoint,
    headers: fill(headers) as Record<string, unknown>,
    query: fill(queryParams) as Record<string, unknown>,
    ...(requestBody && {
      body: isText ? { text: fillText(`${requestBody.text}`, bodyEncoding, values, wildcard) } : fill(requestBody),
    }),
    isGraphql: false,
  };
}

function fillText(
  template: string,
  encoding: 'xml' | 'text',
  values: TemplateValues,
  wildcard: TapReading['wildcard'],
): unknown {
  const text = withFields(template, wildcard);
  if (encoding === 'text') return fillTemplates(text, values);
  return fillTextWith(text, values, (_, value) => escapeMarkup(`${value}`));
}

function draftGraphql(config: GraphqlConfig, { wildcard }: TapReading, values: TemplateValues): RequestDraft {
  const { endpoint = '', query = '', operationName, variables = {} } = config;
  return {
    method: 'POST',
    path: endpoint,
    headers: {},
    query: {},
    // Only `variables` contains placeholders such as `{since}`, because braces are part of the syntax of a query.
    body: {
      query: withFields(query, wildcard),
      ...(operationName && { operationName }),
      variables: fillTemplates(variables, values, wildcard),
    },
    isGraphql: true,
  };
}
