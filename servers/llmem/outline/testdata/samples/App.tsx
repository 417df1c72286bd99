import React, { useState, type ReactNode } from 'react';

type Props<T> = { items: T[]; render: (item: T) => ReactNode };

export const Context = React.createContext<string | null>(null);

/** Shows a list. */
export function List<T extends { id: string }>({ items, render }: Props<T>) {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);
  function handleClick(e: React.MouseEvent) {
    e.preventDefault();
  }
  return (
    <ul onClick={handleClick}>
      {items.map((item) => (
        <li key={item.id}>{render(item)}</li>
      ))}
    </ul>
  );
}

export const Button: React.FC<{ label: string }> = ({ label }) => <button>{label}</button>;

const generic = <T,>(x: T): T => x;

export const Memo = React.memo(function Inner({ a }: { a: number }) {
  return <b>{a}</b>;
});

const Forward = React.forwardRef<HTMLDivElement, Props<string>>((props, ref) => <div ref={ref} />);

export class View extends React.Component<Props<string>, { n: number }> {
  static defaultProps = { items: [] };
  state = { n: 0 };
  private timer?: number;

  constructor(props: Props<string>) {
    super(props);
  }

  handle = (e: Event): void => {
    this.setState({ n: 1 });
  };

  get total(): number {
    return this.state.n;
  }

  async load<K extends keyof Props<string>>(key: K): Promise<void> {}

  render() {
    return <Context.Provider value="x"><List items={[]} render={() => null} /></Context.Provider>;
  }
}

export function useTotal(list: number[]): number {
  return list.reduce((a, b) => a + b, 0);
}

interface Store<K, V> {
  get(key: K): V | undefined;
  readonly size: number;
}

enum Mode {
  Light = 'light',
  Dark = 'dark',
}

export default function App(): JSX.Element {
  return <><Button label="x" /></>;
}
