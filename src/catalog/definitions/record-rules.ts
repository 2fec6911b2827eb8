import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';

const STEPS = ['set', 'remove', 'rename', 'flatten'] as const;
const ONE_CHARACTER = ['delimiter', 'quote', 'escape', 'comment'] as const;
const CSV_RESERVED = /[\r\n]/;

type Report = (at: DefinitionPath, rule: string, message: string) => void;

export function checkRecordRules({ taps }: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return taps.flatMap((tap, index) => {
    const faults: DefinitionFault[] = [];
    const report: Report = (at, rule, message) =>
      faults.push({ path: [...path, 'taps', index, ...at], rule, message: `${tap.name}: ${message}` });
    checkTransform(tap, report);
    checkParts(tap, report);
    checkCsv(tap, report);
    checkErrorRules(tap, report);
    return faults;
  });
}

function checkTransform({ responseExtraction }: TapDefinition, report: Report): void {
  responseExtraction.transform?.forEach((step, index) => {
    const at = ['responseExtraction', 'transform', index];
    if (STEPS.filter((name) => step[name] !== undefined).length !== 1)
      report(at, 'transform-has-one-step', `each transform step must have exactly one of ${STEPS.join(', ')}`);
    for (const setting of ['set', 'rename'] as const)
      for (const [field, value] of Object.entries(step[setting] ?? {}))
        if (typeof value !== 'string')
          report([...at, setting, field], 'transform-is-text', `${field} must be a string`);
  });
}

function checkParts({ responseExtraction }: TapDefinition, report: Report): void {
  const { recordParts, primaryKey, syntheticPrimaryKey } = responseExtraction;
  if (recordParts && !primaryKey && !syntheticPrimaryKey)
    report(['responseExtraction', 'recordParts'], 'parts-have-a-key', 'recordParts requires a primary key');
}

function checkCsv({ responseExtraction: { csv, responseFormat } }: TapDefinition, report: Report): void {
  if (!csv) return;
  const at = ['responseExtraction', 'csv'];
  if (responseFormat !== 'csv') report(at, 'dialect-is-of-csv', 'csv requires `responseFormat: csv`');
  for (const name of ONE_CHARACTER) {
    const text = csv[name];
    if (text === undefined || (text === '' && name === 'quote')) continue;
    if (text.length !== 1 || CSV_RESERVED.test(text))
      report([...at, name], 'dialect-has-characters', `${name} must be one character other than a line break`);
  }
  if ((csv.skipLines ?? 0) < 0) report([...at, 'skipLines'], 'dialect-skips-lines', 'skipLines must not be negative');
}

/** Without a condition, an error rule with an action would match every response, including successful ones. */
function checkErrorRules({ transportOptions }: TapDefinition, report: Report): void {
  transportOptions.forEach(({ errorBodyRules }, option) => {
    errorBodyRules?.forEach((rule, index) => {
      const { statusCode, when, jmesPath, values, retryValues, skipValues, action } = rule;
      const at = ['transportOptions', option, 'errorBodyRules', index];
      if (action && statusCode === undefined && !when && !values?.length)
        report(at, 'error-rule-matches', '`action` requires `statusCode`, `when` or `values`');
      if (!jmesPath && (values ?? retryValues ?? skipValues))
        report(at, 'error-values-have-a-path', '`values`, `retryValues` and `skipValues` require `jmesPath`');
      if (!action && (values || when || rule.errorClass || rule.message))
        report(at, 'error-rule-acts', '`values`, `when`, `errorClass` and `message` require `action`');
    });
  });
}
