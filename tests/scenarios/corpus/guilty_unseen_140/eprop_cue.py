# gradwatch-corpus: kind=graph-held
# holder: layer.trace | self.trace | brain.layer.trace
# first-bad: 1
# notice: 8
# Cue-accumulation with a spiking layer; local plasticity plus a trained readout on eligibility traces.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)

N_CUES, N_NEURONS, TARGET_RATE = 6, 24, 0.2


class Triangle(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v >= 0).float()

    @staticmethod
    def backward(ctx, grad):
        v, = ctx.saved_tensors
        return grad * torch.clamp(1 - v.abs(), min=0)


class TraceLayer(nn.Module):
    def __init__(self, decay=0.92):
        super().__init__()
        self.afferent = nn.Linear(N_CUES, N_NEURONS)
        self.decay = decay
        self.trace = torch.zeros(N_NEURONS)

    def forward(self, cue):
        spikes = Triangle.apply(self.afferent(cue) - 0.5)
        self.trace = self.decay * self.trace + (1 - self.decay) * spikes  # <- culprit
        return spikes

    def eligibility(self):
        return self.trace.detach()


class Brain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = TraceLayer()
        self.readout = nn.Linear(N_NEURONS, 2)

    def forward(self, cue):
        spikes = self.layer(cue)
        decision = self.readout(self.layer.eligibility() * 5)
        homeostasis = (spikes.mean() - TARGET_RATE) ** 2
        spread = -spikes.var()
        return decision, homeostasis + 0.1 * spread


def session():
    evidence = 0.0
    while True:
        side = 1 if torch.rand(()) < 0.5 + 0.3 * torch.sin(torch.tensor(evidence * 0.2)) else 0
        cue = torch.rand(N_CUES) * 0.3
        cue[side * 3:(side + 1) * 3] += 1.0
        evidence = 0.9 * evidence + (1 if side else -1)
        yield cue, torch.tensor(int(evidence > 0))


brain = Brain()
opt = torch.optim.Adam(brain.parameters(), lr=4e-3)
hits = 0.0
for trial, (cue, label) in enumerate(session()):
    decision, plasticity = brain(cue)
    loss = nn.functional.cross_entropy(decision.unsqueeze(0), label.unsqueeze(0)) + plasticity
    opt.zero_grad()
    loss.backward()
    opt.step()
    hits = 0.98 * hits + 0.02 * float(decision.argmax() == label)
    if trial % 150 == 149:
        print(trial + 1, f"loss {loss.item():.3f} correct {hits:.2f} mean trace {brain.layer.trace.mean().item():.3f}")
    if trial == 599:
        break
