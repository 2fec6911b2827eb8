/**
 * Text has a contrast of at least 4.5 to its background. Points, the line of the series and the limit lines have a
 * contrast of at least 3 (WCAG 2.2, success criteria 1.4.3 and 1.4.11).
 */
export interface ChartPalette {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly series: string;
  readonly band2: string;
  readonly band3: string;
  readonly warning: string;
  readonly control: string;
}

export const LIGHT_PALETTE: ChartPalette = {
  paper: '#ffffff',
  ink: '#1f2328',
  muted: '#57606a',
  grid: '#d0d7de',
  series: '#0550ae',
  band2: '#dce9f8',
  band3: '#eff5fc',
  warning: '#8a5a00',
  control: '#b3261e',
};

export const DARK_PALETTE: ChartPalette = {
  paper: '#0d1117',
  ink: '#e6edf3',
  muted: '#9aa4af',
  grid: '#30363d',
  series: '#79c0ff',
  band2: '#1c2c42',
  band3: '#141d2b',
  warning: '#f2b84b',
  control: '#ff8a80',
};

/** Content of the style element. A Content-Security-Policy can allow it by its hash, because it is constant. */
export const CHART_STYLE = `svg{max-width:100%;height:auto;color-scheme:light dark;${paletteVariables(LIGHT_PALETTE)}}
@media (prefers-color-scheme:dark){svg{${paletteVariables(DARK_PALETTE)}}}
text{font:12px system-ui,"Segoe UI","DejaVu Sans",Arial,sans-serif;fill:var(--ink)}
.title{font-size:17px;font-weight:600}
.muted{fill:var(--muted)}
.mark{font-size:11px;font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.paper{fill:var(--paper)}
.grid{stroke:var(--grid);stroke-width:1}
.band2{fill:var(--band2)}
.band3{fill:var(--band3)}
.mean{stroke:var(--muted);stroke-width:1.5}
.warning-line{stroke:var(--warning);stroke-dasharray:2 4}
.control-line{stroke:var(--control);stroke-dasharray:8 4}
.series{fill:none;stroke:var(--series);stroke-width:1.5;stroke-linejoin:round}
.dot{fill:var(--series);stroke:var(--series);stroke-width:1.5}
.undetermined{fill:var(--paper)}
.warning{fill:var(--paper);stroke:var(--warning);stroke-width:2}
.control{fill:var(--control);stroke:var(--control);stroke-width:2}`;

function paletteVariables(palette: ChartPalette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}
