import torch


class Anderson:
    """Anderson acceleration, window m. Keeps statistics of every solve for the final report."""

    def __init__(self, m=3, iters=8, lam=1e-4, beta=1.0):
        self.m, self.iters, self.lam, self.beta = m, iters, lam, beta
        self.stats = {"solves": 0, "final": [], "first": []}

    def solve(self, f, x0):
        xs, fs = [x0], [f(x0)]
        self.note("first", xs[0], fs[0])
        xs.append(fs[0])
        fs.append(f(xs[1]))
        for _ in range(2, self.iters):
            xw, fw = xs[-self.m:], fs[-self.m:]
            g = torch.stack([(b - a).detach() for a, b in zip(xw, fw)], 1)
            k = g.shape[1]
            h = g @ g.transpose(1, 2) + self.lam * torch.eye(k)
            w = torch.linalg.solve(h, torch.ones(len(g), k, 1)).squeeze(-1)
            w = w / w.sum(1, keepdim=True)
            mix = sum(w[:, i:i + 1] * fw[i] for i in range(k))
            old = sum(w[:, i:i + 1] * xw[i] for i in range(k))
            xs.append(self.beta * mix + (1 - self.beta) * old)
            fs.append(f(xs[-1]))
        self.note("final", xs[-1], fs[-1])
        self.stats["solves"] += 1
        return fs[-1]

    def note(self, key, x, fx):
        rel = (fx - x).norm(dim=1) / (fx.norm(dim=1) + 1e-6)  # <- culprit
        self.stats[key].append(rel.mean())  # <- culprit

    def report(self):
        last = {k: torch.stack(self.stats[k][-20:]).mean().item() for k in ("first", "final")}
        return f"solves={self.stats['solves']} first={last['first']:.2e} final={last['final']:.2e}"
