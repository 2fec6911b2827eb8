import { type MomentSurvey, surveyMoments } from './moment-survey.js';
import { type NumberSurvey, surveyNumbers } from './number-survey.js';

/** The values of a column that are not null, trimmed. What several types want to know of them is found out once. */
export class ColumnSample {
  #numbers: NumberSurvey | undefined;
  #moments: MomentSurvey | undefined;

  constructor(readonly values: readonly string[]) {}

  get numbers(): NumberSurvey {
    this.#numbers ??= surveyNumbers(this);
    return this.#numbers;
  }

  get moments(): MomentSurvey {
    this.#moments ??= surveyMoments(this);
    return this.#moments;
  }

  /** Whether so many values speak against a type that looking at the others is no use. */
  isTooMany(count: number): boolean {
    return count * 2 > this.values.length;
  }

  /** Whether so many values speak for a type that the others may be mistakes. */
  isMost(count: number): boolean {
    return count > 0 && count * 2 >= this.values.length;
  }
}
