# gradwatch-corpus: kind=none
"""Beat probability along drum tracks; the recurrent state is carried from window to window."""
import torch
import torch.nn.functional as F
from torch import nn

TRACKS, WINDOW, N_WINDOWS, EPOCHS = 10, 12, 24, 4


def drum_tracks(gen):
    length = WINDOW * N_WINDOWS
    onset = torch.zeros(TRACKS, length, 3)
    beat = torch.zeros(TRACKS, length)
    for k in range(TRACKS):
        period = int(torch.randint(3, 7, (1,), generator=gen))
        shift = int(torch.randint(0, period, (1,), generator=gen))
        beat[k, shift::period] = 1.0
        onset[k, shift::period, 0] = 1.0
        onset[k, (shift + period // 2) % period::period, 1] = 0.7
    keep = (torch.rand(onset.shape, generator=gen) > 0.15).float()
    return onset * keep + 0.1 * torch.rand(onset.shape, generator=gen), beat


class Tracker(nn.Module):
    def __init__(self, size=28):
        super().__init__()
        self.size = size
        self.lower = nn.LSTMCell(3, size)
        self.upper = nn.GRUCell(size, size)
        self.head = nn.Linear(size, 1)
        self.carry = None

    def reset(self):
        self.carry = None

    def forward(self, x):
        b, t, _ = x.shape
        if self.carry is None:
            self.carry = [torch.zeros(b, self.size) for _ in range(3)]
        h, c, u = self.carry
        track = x.new_zeros(b, t, self.size)
        for k in range(t):
            h, c = self.lower(x[:, k], (h, c))
            u = self.upper(h, u)
            track[:, k] = u
        self.carry = [h, c, u]
        return self.head(track).squeeze(-1)

    def cut(self):
        for s in self.carry:
            s.detach_()


def f1(logit, beat):
    said = logit > 0
    both = (said & (beat > 0)).sum().item()
    return 2 * both / max(1, said.sum().item() + (beat > 0).sum().item())


def main():
    torch.manual_seed(64)
    onset, beat = drum_tracks(torch.Generator().manual_seed(64))
    net = Tracker()
    opt = torch.optim.RMSprop(net.parameters(), lr=3e-3)
    heavy = torch.tensor(3.0)
    for epoch in range(EPOCHS):
        net.reset()
        losses, scores = [], []
        for w in range(N_WINDOWS):
            sl = slice(w * WINDOW, (w + 1) * WINDOW)
            logit = net(onset[:, sl])
            loss = F.binary_cross_entropy_with_logits(logit, beat[:, sl], pos_weight=heavy)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            net.cut()
            losses.append(loss.detach())
            scores.append(f1(logit.detach(), beat[:, sl]))
        print(f"epoch {epoch}  bce {torch.stack(losses).mean():.4f}  f1 {sum(scores) / len(scores):.3f}")


if __name__ == "__main__":
    main()
