export function Loading() {
  return (
    <div role="status" aria-label="Loading" className="space-y-3 p-5">
      {['w-1/3', 'w-2/3', 'w-1/2'].map((width) => (
        <div key={width} className={`h-4 animate-pulse rounded bg-sunken ${width}`} />
      ))}
    </div>
  );
}
