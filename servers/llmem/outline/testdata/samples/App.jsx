import { useState, useEffect } from 'react';

const MAX = 10;

export default function App({ items }) {
  const [n, setN] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setN((x) => x + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const row = (item) => <li key={item}>{item}</li>;
  return <ul>{items.map(row)}</ul>;
}

export const Card = ({ title, children }) => (
  <section>
    <h1>{title}</h1>
    {children}
  </section>
);

function useToggle(initial) {
  const [on, set] = useState(initial);
  return [on, () => set(!on)];
}

class Legacy extends React.Component {
  static propTypes = {};
  state = { n: 0 };
  onClick = () => this.setState({ n: 1 });
  render() {
    return <p onClick={this.onClick}>{this.state.n}</p>;
  }
}

export const withData = (Wrapped) => function WithData(props) {
  return <Wrapped {...props} />;
};

const helpers = {
  format(x) {
    return `${x}`;
  },
  parse: (s) => +s,
};

module.exports.render = function () {};
