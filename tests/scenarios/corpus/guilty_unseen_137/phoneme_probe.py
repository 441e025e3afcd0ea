# gradwatch-corpus: kind=graph-held
# holder: taps["conv2"] | store[name] | taps
# first-bad: 1
# notice: 8
"""CTC phoneme recogniser on synthetic filterbanks; taps watch how alive each conv layer is."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(9)

PHONES, MELS = 9, 12


class Acoustic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(MELS, 16, 3, padding=1)
        self.conv2 = nn.Conv1d(16, 16, 3, padding=1, stride=2)
        self.out = nn.Conv1d(16, PHONES + 1, 1)

    def forward(self, feats):
        h = F.relu(self.conv2(F.relu(self.conv1(feats))))
        return self.out(h).permute(2, 0, 1).log_softmax(-1)


def attach_taps(net, names):
    store = {n: [] for n in names}

    def make(name):
        def tap(_module, _inputs, output):
            store[name].append(output.clamp(min=0).mean())  # <- culprit
        return tap

    handles = [dict(net.named_modules())[n].register_forward_hook(make(n)) for n in names]
    return store, handles


templates = torch.randn(PHONES + 1, MELS)


def utterances(n=6, frames=24, length=5):
    labels = torch.randint(1, PHONES + 1, (n, length))
    spread = labels.repeat_interleave(frames // length + 1, dim=1)[:, :frames]
    return (templates[spread] + 0.3 * torch.randn(n, frames, MELS)).transpose(1, 2), labels


def main():
    net = Acoustic()
    taps, handles = attach_taps(net, ["conv1", "conv2"])
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for step in range(320):
        feats, labels = utterances()
        logp = net(feats)
        sizes = torch.full((len(labels),), logp.shape[0])
        ctc = F.ctc_loss(logp, labels, sizes, torch.full((len(labels),), labels.shape[1]))
        opt.zero_grad()
        ctc.backward()
        opt.step()
        if step % 80 == 79:
            alive = {n: sum(v.item() for v in vals[-20:]) / 20 for n, vals in taps.items()}
            print(step + 1, f"{ctc.item():.3f}", {n: round(a, 3) for n, a in alive.items()})
    for h in handles:
        h.remove()


if __name__ == "__main__":
    main()
