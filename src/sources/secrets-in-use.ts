import type { Connection } from './connection.js';
import type { Session } from './session.js';

type Fields = Readonly<Record<string, { readonly secret?: boolean } | null>>;

/** All that must never be shown of a connection: what its strategy marks as secret, and the tokens of its sessions. */
export function secretsInUse(
  { strategy, config }: Connection,
  sessions: readonly (Partial<Pick<Session, 'token' | 'refreshToken'>> | undefined)[],
): string[] {
  const fields = (strategy.configSchema?.properties ?? {}) as Fields;
  const configured = Object.entries(config).filter(([name]) => Object.hasOwn(fields, name) && fields[name]?.secret);
  const tokens = sessions.flatMap((session) => [session?.token, session?.refreshToken]);
  return [...configured.map(([, value]) => value), ...tokens].filter((value) => typeof value === 'string');
}
