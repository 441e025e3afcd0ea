# gradwatch-corpus: kind=graph-held
# holder: fitter.rejected | self.rejected
# first-bad: 1
# also: graph-unused
"""Camera pose fitting from 2D-3D matches with a damped gradient method.

Trial poses that do not improve enough are turned down; the reasons are kept so that the end report can say how often and why.
"""
import argparse
import collections
import math

import torch


class TrialRejected(Exception):
    def __init__(self, why, ratio):
        super().__init__(f"{why} (ratio {ratio:.3f})")
        self.why = why


def hat(v):
    z = torch.zeros((), dtype=v.dtype)
    return torch.stack([
        torch.stack([z, -v[2], v[1]]),
        torch.stack([v[2], z, -v[0]]),
        torch.stack([-v[1], v[0], z]),
    ])


def rodrigues(v):
    theta = (v.pow(2).sum() + 1e-12).sqrt()
    k = hat(v / theta)
    return torch.eye(3) + torch.sin(theta) * k + (1 - torch.cos(theta)) * (k @ k)


class PoseFitter:
    def __init__(self, pts3d, pts2d, focal, lr):
        self.pts3d, self.pts2d, self.focal = pts3d, pts2d, focal
        self.rot = torch.zeros(3, requires_grad=True)
        self.trans = torch.tensor([0.0, 0.0, 6.0], requires_grad=True)
        self.opt = torch.optim.Adam([self.rot, self.trans], lr=lr)
        self.lr = lr
        self.rejected = []

    def project(self, rot, trans, idx):
        cam = self.pts3d[idx] @ rodrigues(rot).T + trans
        return self.focal * cam[:, :2] / cam[:, 2:].clamp_min(0.1)

    def residual(self, rot, trans, idx):
        d = self.project(rot, trans, idx) - self.pts2d[idx]
        w = 1.0 / (1.0 + d.detach().pow(2).sum(-1, keepdim=True))
        return (w * d.pow(2)).sum(-1).mean()

    def extrapolate(self, idx, base):
        """A longer step along the present slope; accepted only if it pays."""
        g_rot, g_tr = self.rot.grad, self.trans.grad
        far_rot = self.rot - 40 * self.lr * g_rot
        far_tr = self.trans - 40 * self.lr * g_tr
        trial = self.residual(far_rot, far_tr, idx)
        ratio = trial.item() / max(base, 1e-12)
        if not math.isfinite(ratio):
            raise TrialRejected("not finite", ratio)
        if ratio > 0.5:
            raise TrialRejected("too little gain", ratio)
        return far_rot.detach(), far_tr.detach()

    def iterate(self, it):
        idx = torch.randint(0, len(self.pts3d), (256,))
        self.opt.zero_grad()
        err = self.residual(self.rot, self.trans, idx)
        err.backward()
        try:
            rot, tr = self.extrapolate(idx, err.item())
        except TrialRejected as rej:
            self.rejected.append(rej)  # <- culprit
            self.opt.step()
        else:
            with torch.no_grad():
                self.rot.copy_(rot)
                self.trans.copy_(tr)
            self.opt.step()
        return err.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=360)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()
    torch.manual_seed(11)

    pts = torch.randn(2000, 3)
    true_rot, true_tr = torch.tensor([0.3, -0.2, 0.5]), torch.tensor([0.2, -0.1, 5.0])
    cam = pts @ rodrigues(true_rot).T + true_tr
    obs = 2.0 * cam[:, :2] / cam[:, 2:].clamp_min(0.1) + 0.01 * torch.randn(2000, 2)

    fitter = PoseFitter(pts, obs, 2.0, args.lr)
    for it in range(args.iters):
        e = fitter.iterate(it)
        if it % 60 == 0:
            print(f"{it:4d}  reproj {e:.5f}  turned down {len(fitter.rejected)}")
    print(collections.Counter(r.why for r in fitter.rejected))
    print("rotation", [round(x, 3) for x in fitter.rot.tolist()])


if __name__ == "__main__":
    main()
