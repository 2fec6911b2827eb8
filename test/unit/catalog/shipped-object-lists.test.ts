import { expect, it } from 'vitest';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import { evaluateJmesPath } from '../../../src/kernel/formats/jmespath.js';

it('the list of Salesforce objects contains only custom objects that queries can read', async () => {
  const vendors = await readShippedDefinitions();
  const listPath = vendors.find(({ slug }) => slug === 'salesforce')?.connectors?.[0]?.fieldDiscovery?.objects
    ?.listPath;
  const sobjects = [
    anObject('Invoice__c'),
    anObject('Account', { custom: false }),
    anObject('Order_Event__e', { queryable: false }),
    anObject('Tax_Rate__mdt'),
    anObject('Locked__c', { queryable: false }),
    anObject('Old__c', { deprecatedAndHidden: true }),
  ];
  expect(evaluateJmesPath(`${listPath}`, { encoding: 'UTF-8', maxBatchSize: 200, sobjects })).toEqual([sobjects[0]]);
});

function anObject(name: string, own: object = {}): object {
  return { name, label: name, custom: true, queryable: true, deprecatedAndHidden: false, ...own };
}
