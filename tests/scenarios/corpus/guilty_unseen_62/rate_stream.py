# gradwatch-corpus: kind=graph-chain
# holder: self.rate | circuit.rate
# first-bad: 1
# notice: 5
"""Online learning in a leaky firing-rate circuit.

A circuit with fixed, low-rank recurrent coupling receives an odour-like input
stream through plastic synapses; a plastic read-out predicts the concentration a
little later. Synapses are moved after every short chunk by plain gradient
descent with a per-synapse norm limit, as in the experiments this follows.
"""
import argparse
import math

import torch


class OdourStream:
    """Filtered plumes arriving at a few receptor types."""

    def __init__(self, receptors, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.affinity = torch.rand(receptors, generator=self.g)
        self.level = 0.0
        self.t = 0

    def chunk(self, length):
        xs, ys = [], []
        for _ in range(length):
            self.t += 1
            puff = float(torch.rand((), generator=self.g) < 0.1)
            self.level = 0.9 * self.level + puff
            seen = torch.tanh(self.level * self.affinity)
            xs.append(seen + 0.05 * torch.randn(len(seen), generator=self.g))
            ys.append(0.9 * self.level + 0.2 * math.sin(self.t / 15.0))
        return torch.stack(xs), torch.tensor(ys)


class RateCircuit:
    """tau dr/dt = -r + J r + W x, with J = m n' of rank one held constant."""

    def __init__(self, receptors, cells, leak=0.2, seed=0):
        g = torch.Generator().manual_seed(seed)
        m = torch.randn(cells, 1, generator=g)
        n = torch.randn(1, cells, generator=g)
        self.coupling = 0.4 * m @ n / cells
        self.leak = leak
        self.w_in = (0.3 * torch.randn(cells, receptors, generator=g)).requires_grad_()
        self.w_out = (0.1 * torch.randn(cells, generator=g)).requires_grad_()
        self.rate = torch.zeros(cells)

    def plastic(self):
        return [self.w_in, self.w_out]

    def advance(self, x):
        drive = self.coupling @ self.rate + self.w_in @ x
        self.rate = (1.0 - self.leak) * self.rate + self.leak * drive  # <- culprit
        return self.w_out @ torch.tanh(self.rate)


def limit_norm(grad, bound):
    return grad * min(1.0, bound / (float(grad.norm()) + 1e-12))


def learn(circuit, stream, chunks, length, eta):
    """Run through the stream; return the squared errors of the chunks."""
    errors = []
    for k in range(chunks):
        xs, ys = stream.chunk(length)
        guesses = torch.stack([circuit.advance(x) for x in xs])
        loss = (guesses - ys).square().mean()
        loss.backward(retain_graph=True)  # <- culprit
        for w in circuit.plastic():
            w.data -= eta * limit_norm(w.grad, 1.0)
            w.grad = None
        errors.append(loss.item())
        if k % 20 == 0:
            print(f"chunk {k:3d}  error {errors[-1]:.4f}  |r| {circuit.rate.norm().item():.3f}")
    return errors


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--chunks", type=int, default=120)
    ap.add_argument("--length", type=int, default=6)
    ap.add_argument("--cells", type=int, default=32)
    ap.add_argument("--receptors", type=int, default=8)
    ap.add_argument("--eta", type=float, default=0.03)
    args = ap.parse_args()

    torch.set_num_threads(1)
    circuit = RateCircuit(args.receptors, args.cells)
    stream = OdourStream(args.receptors, seed=4)
    errors = learn(circuit, stream, args.chunks, args.length, args.eta)
    print(f"first ten {sum(errors[:10]) / 10:.4f}  last ten {sum(errors[-10:]) / 10:.4f}")


if __name__ == "__main__":
    main()
