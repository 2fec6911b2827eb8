import { classNames } from '../../../ui/class-names.js';
import { countOf } from '../../../ui/count-of.js';

interface Step {
  readonly capturedAt: string;
  readonly wasBad: boolean;
  readonly isBad: boolean;
}

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** The first row of cells shows the stored results, the second row the results with the changed contract. */
export function PreviewStrip({ title, steps }: { title: string; steps: readonly Step[] }) {
  const newly = steps.filter(({ wasBad, isBad }) => isBad && !wasBad).length;
  const noLonger = steps.filter(({ wasBad, isBad }) => wasBad && !isBad).length;
  return (
    <>
      <p className="text-xs">
        {newly > 0 && <span className="text-bad">A problem would appear in {countOf(newly, 'run')}. </span>}
        {noLonger > 0 && <span className="text-good">A problem would disappear in {countOf(noLonger, 'run')}.</span>}
      </p>
      {(['wasBad', 'isBad'] as const).map((key) => (
        <div key={key} className="flex items-center gap-2" aria-hidden>
          <span className="w-10 text-[10px] text-muted">{key === 'wasBad' ? 'was' : 'would be'}</span>
          <div className="flex flex-1 gap-px" title={title}>
            {steps.map((step) => (
              <span
                key={step.capturedAt}
                title={dateTime.format(new Date(step.capturedAt))}
                className={classNames(
                  'h-3 flex-1 rounded-xs',
                  step[key] ? 'bg-bad' : 'bg-good-soft',
                  step.wasBad !== step.isBad && key === 'isBad' && 'ring-1 ring-ink',
                )}
              />
            ))}
          </div>
        </div>
      ))}
    </>
  );
}
