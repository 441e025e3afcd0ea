# gradwatch-corpus: kind=second-backward
# holder: self.memory | monitor.memory | state["h"] | self.memory["h"]
# first-bad: 1
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)


class BeatMonitor(nn.Module):
    def __init__(self, leads=3, hidden=10):
        super().__init__()
        self.rnn = nn.GRU(leads, hidden, batch_first=True)
        self.flag = nn.Linear(hidden, 1)
        self.memory = {}

    def reset(self, patient):
        self.memory.pop(patient, None)

    def forward(self, patient, beats):
        out, h = self.rnn(beats, self.memory.get(patient))
        self.memory[patient] = h  # <- culprit
        return self.flag(out).squeeze(-1)


def recording(n_chunks, g):
    for _ in range(n_chunks):
        beats = torch.randn(1, 6, 3, generator=g)
        yield beats, (beats.sum(-1) > 1.0).float()


def fit_patient(model, opt, patient, g):
    model.reset(patient)
    for beats, arr in recording(25, g):
        loss = nn.functional.binary_cross_entropy_with_logits(model(patient, beats), arr)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


torch.manual_seed(0)
monitor = BeatMonitor()
opt = torch.optim.Adam(monitor.parameters(), 1e-2)
for patient in ("p07", "p11", "p19"):
    print(patient, fit_patient(monitor, opt, patient, torch.Generator().manual_seed(1)))
