import type { Session } from './session.js';
import type { Settings } from './settings.js';

export interface ConsoleContext {
  readonly settings: Settings;
  /** `current` is undefined until a user signs in. */
  readonly sessions: { current: Session | undefined };
}
