import dagre from '@dagrejs/dagre';
import { type Edge, MarkerType, type Node, Position, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import '@xyflow/react/dist/base.css';
import { currentTheme } from '../../ui/theme.js';
import type { ConnectorDetails } from './connector-query.js';

const NODE = { width: 180, height: 44 };

/** An arrow leads from a tap to each of its child taps. */
export default function TapGraph({ connector }: { connector: ConnectorDetails }) {
  const { nodes, edges, height } = useMemo(() => layOut(connector), [connector]);
  return (
    <div style={{ height: Math.min(Math.max(height + 60, 200), 520) }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        colorMode={currentTheme()}
        style={{ background: 'transparent' }}
        fitView
        nodesDraggable={false}
        nodesConnectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }} // The licence of React Flow (MIT) does not require the attribution.
        aria-label="Graph of the taps"
      />
    </div>
  );
}

function layOut({ taps, traversal }: ConnectorDetails): { nodes: Node[]; edges: Edge[]; height: number } {
  const graph = new dagre.graphlib.Graph().setDefaultEdgeLabel(() => ({}));
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 64 });
  for (const { name } of taps) graph.setNode(name, { ...NODE });
  const known = (traversal?.edges ?? []).filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const { from, to } of known) graph.setEdge(from, to);
  dagre.layout(graph);
  const nodes = taps.map(({ name }): Node => {
    const { x, y } = graph.node(name);
    return {
      ...{ id: name, data: { label: name }, sourcePosition: Position.Right, targetPosition: Position.Left },
      position: { x: x - NODE.width / 2, y: y - NODE.height / 2 },
      className: 'rounded-lg border border-line bg-surface px-3 py-2.5 text-center text-sm text-ink',
      style: NODE,
    };
  });
  const edges = known.map(
    ({ from, to }): Edge => ({
      id: `${from}-${to}`,
      source: from,
      target: to,
      markerEnd: { type: MarkerType.ArrowClosed },
    }),
  );
  return { nodes, edges, height: graph.graph().height ?? 0 };
}
