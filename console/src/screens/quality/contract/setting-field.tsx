import { useId, useState } from 'react';
import { INPUT_CLASSES } from '../../../ui/text-field.js';
import { type RuleSetting, SETTING_LABELS } from './rule-fields.js';

/** Factors from the unit of the input to the unit of the setting: percent to a share, hours to seconds. */
const FACTORS: Partial<Record<RuleSetting, number>> = { maxRate: 1 / 100, maxSeconds: 3_600 };

type Value = number | string | readonly string[] | null | undefined;

interface SettingFieldProps {
  setting: RuleSetting;
  value: Value;
  onChange: (value: Value) => void;
}

export function SettingField({ setting, value, onChange }: SettingFieldProps) {
  const id = useId();
  const [text, setText] = useState(() => textOf(setting, value));
  const isNumber = setting !== 'values' && setting !== 'pattern';
  const Input = setting === 'values' ? 'textarea' : 'input';
  return (
    <div className={isNumber ? 'w-28' : 'w-52'}>
      <label htmlFor={id} className="text-xs text-muted">
        {SETTING_LABELS[setting]}
      </label>
      <Input
        id={id}
        inputMode={isNumber ? 'decimal' : undefined}
        value={text}
        className={INPUT_CLASSES}
        {...(setting === 'values' && { rows: 3 })}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          onChange(settingOf(setting, currentTarget.value));
        }}
      />
    </div>
  );
}

function textOf(setting: RuleSetting, value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Number((value / (FACTORS[setting] ?? 1)).toPrecision(12)));
  return typeof value === 'string' ? value : value.join('\n');
}

/**
 * An empty or invalid number becomes null. The service then applies its default, or reports that the setting is
 * required.
 */
function settingOf(setting: RuleSetting, text: string): Value {
  if (setting === 'values') return text.split('\n').filter((line) => line !== '');
  if (setting === 'pattern') return text === '' ? null : text;
  const number = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(number)) return null;
  const scaled = Number((number * (FACTORS[setting] ?? 1)).toPrecision(12));
  return setting === 'maxSeconds' ? Math.round(scaled) : scaled;
}
