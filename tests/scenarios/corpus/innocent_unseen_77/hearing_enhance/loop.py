import torch
import torch.nn.functional as F


class ChunkTrainer:
    """One optimizer step per chunk; every segment of a chunk is scored as soon as it is heard.

    A later segment's error also reaches the earlier segments of its chunk through the state.
    """

    def __init__(self, net, segments, lr=4e-3):
        self.net = net
        self.segments = segments
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.running = None

    def chunk(self, rec):
        self.opt.zero_grad()
        total = 0.0
        for i in range(self.segments):
            noisy, clean = rec.segment()
            loss = F.l1_loss(self.net(noisy), clean) / self.segments
            last = i == self.segments - 1
            loss.backward(retain_graph=not last)
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.net.cut()
        self.running = total if self.running is None else 0.95 * self.running + 0.05 * total
        return self.running

    @torch.no_grad()
    def evaluate(self, rec, n):
        keep = self.net.hidden, self.net.level, self.net.slow_level
        self.net.reset()
        score = 0.0
        for _ in range(n):
            noisy, clean = rec.segment()
            score += F.l1_loss(self.net(noisy), clean).item()
        self.net.hidden, self.net.level, self.net.slow_level = keep
        return score / n
