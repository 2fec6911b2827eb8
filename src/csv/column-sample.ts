import { ColumnValues } from './column-values.js';
import { type MomentSurvey, surveyMoments } from './moment-survey.js';
import { type NumberSurvey, surveyNumbers } from './number-survey.js';

/** What several types want to know of the values is found out once. */
export class ColumnSample extends ColumnValues {
  #numbers: NumberSurvey | undefined;
  #moments: MomentSurvey | undefined;

  get numbers(): NumberSurvey {
    this.#numbers ??= surveyNumbers(this);
    return this.#numbers;
  }

  get moments(): MomentSurvey {
    this.#moments ??= surveyMoments(this);
    return this.#moments;
  }
}
