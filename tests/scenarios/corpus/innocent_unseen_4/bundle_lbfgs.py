# gradwatch-corpus: kind=none
# about: LBFGS closure evaluated several times per step and a growing pose track, all of it detached; the second frame's extra term makes the graph larger once
"""Bundle adjustment of a short camera track with L-BFGS, key-frame by key-frame."""
import torch


def rot(w):
    x, y, z = w.unbind(-1)
    o = torch.zeros_like(x)
    k = torch.stack([torch.stack([o, -z, y], -1), torch.stack([z, o, -x], -1), torch.stack([-y, x, o], -1)], -2)
    return torch.linalg.matrix_exp(k)


def project(pose, pts):
    cam = pts @ rot(pose[:, :3]).transpose(1, 2) + pose[:, None, 3:]
    return cam[..., :2] / (cam[..., 2:] + 4.0)


class Adjuster:
    def __init__(self, obs, pts0, window=4):
        self.obs, self.window = obs, window
        self.pts = pts0.clone().requires_grad_(True)
        self.track = []          # finished poses
        self.evals = []

    def refine(self, frame, guess):
        pose = guess.clone().requires_grad_(True)
        solver = torch.optim.LBFGS([pose, self.pts], lr=0.6, max_iter=4, history_size=6)
        tail = torch.stack(self.track[-self.window:]) if self.track else None

        def closure():
            solver.zero_grad()
            res = project(pose[None], self.pts) - self.obs[frame]
            cost = torch.nn.functional.huber_loss(res, torch.zeros_like(res), delta=0.05)
            if tail is not None:
                seen = self.obs[frame - len(tail):frame]
                cost = cost + 0.5 * (project(tail, self.pts) - seen).square().mean()
                cost = cost + 1e-3 * (pose - tail[-1]).square().sum()
            cost.backward()
            self.evals.append(cost.item())
            return cost

        solver.step(closure)
        self.track.append(pose.detach())
        return pose.detach()


if __name__ == "__main__":
    torch.manual_seed(21)
    frames, n = 190, 30
    world = torch.rand(n, 3) * 2 - 1
    s = torch.linspace(0, 4, frames)
    truth = torch.stack([0.2 * s.sin(), 0.2 * s.cos(), 0.05 * s, 0.3 * s.cos(), 0.1 * s, 0.2 * s.sin()], 1)
    obs = project(truth, world.expand(frames, n, 3)) + 0.002 * torch.randn(frames, n, 2)
    ba = Adjuster(obs, world + 0.05 * torch.randn(n, 3))
    est = truth[0]
    for f in range(frames):
        est = ba.refine(f, est)
        if f % 38 == 0:
            print(f"frame {f:3d} cost {ba.evals[-1]:.6f} pose error {(est - truth[f]).norm():.4f} evals {len(ba.evals)}")
