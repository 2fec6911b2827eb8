import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ContractScope, QualityCheck } from '../../../gql/graphql.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { SelectField } from '../../../ui/select-field.js';
import { ColumnSelect } from './column-select.js';
import type { Draft } from './contract-draft.js';
import { checksOf, RULE_FIELDS } from './rule-fields.js';
import { SettingField } from './setting-field.js';

type Rule = Draft['rules'][number];

interface RuleEditorProps {
  rules: readonly Rule[];
  scope: ContractScope;
  columns: readonly string[];
  onChange: (rules: Rule[]) => void;
}

export function RuleEditor({ rules, scope, columns, onChange }: RuleEditorProps) {
  const replace = (at: number, part: Partial<Rule>): void =>
    onChange(rules.map((rule, nth) => (nth === at ? { ...rule, ...part } : rule)));
  return (
    <Card title={`Checks (${rules.length})`}>
      <ul className="divide-y divide-line">
        {rules.map((rule, at) => {
          const { title, settings } = RULE_FIELDS[rule.type];
          const name = rule.column ? `${title} in ${rule.column}` : title;
          return (
            <li key={`${rule.type} ${rule.column}`}>
              <fieldset className="flex flex-wrap items-end gap-x-4 gap-y-2 px-5 py-3">
                <legend className="sr-only">{name}</legend>
                <div className="min-w-48 flex-1 self-center text-sm">
                  <p className="font-medium break-words">{name}</p>
                  <code className="text-xs text-muted">{rule.type}</code>
                </div>
                {settings.map((setting) => (
                  <SettingField
                    key={setting}
                    setting={setting}
                    value={rule[setting]}
                    onChange={(value) => replace(at, { [setting]: value })}
                  />
                ))}
                <Button
                  kind="quiet"
                  className="px-2!"
                  aria-label={`Remove: ${name}`}
                  onClick={() => onChange(rules.filter((_, nth) => nth !== at))}
                >
                  <Trash2 aria-hidden className="size-4" />
                </Button>
              </fieldset>
            </li>
          );
        })}
      </ul>
      {rules.length === 0 && <p className="px-5 py-4 text-sm text-muted">The contract has no checks.</p>}
      <NewRule rules={rules} scope={scope} columns={columns} onAdd={(rule) => onChange([...rules, rule])} />
    </Card>
  );
}

interface NewRuleProps extends Omit<RuleEditorProps, 'onChange'> {
  onAdd: (rule: Rule) => void;
}

function NewRule({ rules, scope, columns, onAdd }: NewRuleProps) {
  const [type, setType] = useState<QualityCheck>('null_rate');
  const [column, setColumn] = useState(columns[0] ?? '');
  const { needsColumn } = RULE_FIELDS[type];
  const exists = rules.some((rule) => rule.type === type && (!needsColumn || rule.column === column));
  const names = Object.fromEntries(checksOf(scope).map((check) => [check, RULE_FIELDS[check].title]));
  return (
    <div className="flex flex-wrap items-end gap-3 border-t border-line bg-sunken/50 px-5 py-4">
      <div className="min-w-56 flex-1">
        <SelectField
          label="New check"
          name="type"
          options={names as Record<QualityCheck, string>}
          value={type}
          onChange={setType}
        />
      </div>
      {needsColumn && (
        <ColumnSelect label="Column" name="column" columns={columns} value={column} onChange={setColumn} />
      )}
      <Button disabled={exists} onClick={() => onAdd({ type, ...(needsColumn && { column }) })}>
        {exists ? 'Already in the contract' : 'Add the check'}
      </Button>
    </div>
  );
}
