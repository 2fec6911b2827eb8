import { secretFieldsOf } from '../catalog/secret-fields.js';
import type { Connection } from './connection.js';
import type { Session } from './session.js';

export function connectionSecretsOf(
  { strategy, config }: Connection,
  sessions: readonly (Partial<Pick<Session, 'token' | 'refreshToken'>> | undefined)[],
): string[] {
  const configured = secretFieldsOf(strategy.configSchema).map((field) => config[field]);
  const tokens = sessions.flatMap((session) => [session?.token, session?.refreshToken]);
  return [...configured, ...tokens].filter((value) => typeof value === 'string');
}
