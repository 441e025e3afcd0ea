# gradwatch-corpus: kind=graph-held
# holder: self._series | board._series | self._series[tag] | board._series["loss/recon"]
# first-bad: 1
# notice: 8
import queue
import threading
import torch

torch.set_num_threads(1)


class Board:
    """A writer which does its formatting away from the training thread."""

    def __init__(self, every=50):
        self._q = queue.Queue()
        self._series = {}
        self._every = every
        self._worker = threading.Thread(target=self._drain, daemon=True)
        self._worker.start()

    def scalar(self, tag, value, step):
        self._q.put((tag, value, step))

    def _drain(self):
        while True:
            item = self._q.get()
            if item is None:
                return
            tag, value, step = item
            pts = self._series.setdefault(tag, [])
            pts.append((step, value))  # <- culprit
            if len(pts) % self._every == 0:
                print(f"[{tag}] {step} {float(value):.4f}")

    def close(self):
        self._q.put(None)
        self._worker.join()


class VAE(torch.nn.Module):
    def __init__(self, d=14, z=3):
        super().__init__()
        self.enc = torch.nn.Linear(d, 2 * z)
        self.dec = torch.nn.Sequential(torch.nn.Linear(z, 20), torch.nn.ELU(), torch.nn.Linear(20, d))

    def forward(self, x):
        mu, lv = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        kl = -0.5 * (1 + lv - mu ** 2 - lv.exp()).sum(-1).mean()
        return self.dec(z), kl


def main():
    torch.manual_seed(21)
    board = Board(every=120)
    vae = VAE()
    opt = torch.optim.RMSprop(vae.parameters(), lr=1e-3)
    mix = torch.randn(3, 14)
    for step in range(360):
        x = torch.randn(32, 3) @ mix
        rec, kl = vae(x)
        recon = (rec - x).pow(2).sum(-1).mean()
        loss = recon + 0.1 * kl
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        board.scalar("loss/recon", recon, step)  # <- culprit
        board.scalar("loss/kl", kl.item(), step)
    board.close()


main()
