# gradwatch-corpus: kind=graph-chain
# holder: STATES | STATES[layer] | STATES[layer].v | STATES[self] | STATES[self].v | neurons.STATES | neurons.STATES[self.lif] | neurons.STATES[self.lif].v | neurons.STATES[net.lif] | neurons.STATES[net.lif].v | snnlite.neurons.STATES | snnlite.neurons.STATES[net.lif].v | st | st.v | STATES[self.lif] | STATES[net.lif] | STATES[net.lif].v | STATES[self.lif].v | STATES[...].v
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

from snnlite import LIF, reset_states


class EventClassifier(nn.Module):
    def __init__(self, n_in=20, n_hidden=24, n_cls=3):
        super().__init__()
        self.inp = nn.Linear(n_in, n_hidden)
        self.lif = LIF(beta=0.85)
        self.out = nn.Linear(n_hidden, n_cls)

    def forward(self, window):
        logits = 0.0
        for frame in window:
            logits = logits + self.out(self.lif(self.inp(frame)))
        return logits / len(window)


def event_stream(n_windows, batch=8, steps=3, n_in=20):
    g = torch.Generator().manual_seed(2)
    rates = torch.rand(3, n_in, generator=g)
    label = torch.randint(0, 3, (batch,), generator=g)
    for w in range(n_windows):
        flip = torch.rand(batch, generator=g) < 0.05
        label = torch.where(flip, torch.randint(0, 3, (batch,), generator=g), label)
        p = rates[label].expand(steps, batch, n_in)
        yield torch.bernoulli(p, generator=g), label


def main():
    torch.manual_seed(0)
    net = EventClassifier()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    reset_states()
    hits = seen = 0
    for i, (window, label) in enumerate(event_stream(75)):
        logits = net(window)
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        hits += (logits.argmax(-1) == label).sum().item()
        seen += label.numel()
        if i % 15 == 14:
            print(f"window {i + 1}: loss {loss.item():.3f} running acc {hits / seen:.3f}")


if __name__ == "__main__":
    main()
