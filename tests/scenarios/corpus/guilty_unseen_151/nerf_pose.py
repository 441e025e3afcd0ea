# gradwatch-corpus: kind=graph-chain
# holder: self.poses | cameras.poses
# first-bad: 1
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)


class Embedder:
    def __init__(self, num_freqs):
        self.bands = 2.0 ** torch.arange(num_freqs)

    def __call__(self, x):
        xb = (x[..., None] * self.bands).flatten(-2)
        return torch.cat([x, xb.sin(), xb.cos()], -1)


class NeRF(nn.Module):
    def __init__(self, W=32, freqs=4):
        super().__init__()
        self.embed = Embedder(freqs)
        self.pts = nn.Sequential(nn.Linear(3 + 6 * freqs, W), nn.ReLU(), nn.Linear(W, W), nn.ReLU(), nn.Linear(W, 4))

    def forward(self, x):
        return self.pts(self.embed(x))


class CameraRefiner(nn.Module):
    """Learns a translation correction per view on top of the COLMAP poses."""

    def __init__(self, init_poses, rate=0.1):
        super().__init__()
        self.delta = nn.Parameter(torch.zeros(len(init_poses), 3))
        self.poses = init_poses
        self.rate = rate

    def origin(self, view):
        return self.poses[view, :, 3]

    def rotation(self, view):
        return self.poses[view, :, :3]

    def compose(self):
        shift = torch.nn.functional.pad(self.delta.unsqueeze(-1), (3, 0))
        self.poses = torch.add(self.poses, shift, alpha=self.rate)  # <- culprit


def get_rays(cameras, view, H, W, focal, n):
    pix = torch.randint(0, H * W, (n,))
    i, j = pix % W, pix // W
    dirs = torch.stack([(i - W / 2) / focal, -(j - H / 2) / focal, -torch.ones(n)], -1)
    rays_d = dirs @ cameras.rotation(view).t()
    return cameras.origin(view).expand(n, 3), rays_d, pix


def raw2outputs(raw, z_vals):
    dists = torch.cat([z_vals[1:] - z_vals[:-1], torch.tensor([1e2])])
    alpha = 1 - torch.exp(-torch.relu(raw[..., 3]) * dists)
    trans = torch.cumprod(torch.cat([torch.ones(len(alpha), 1), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    weights = alpha * trans
    return (weights[..., None] * torch.sigmoid(raw[..., :3])).sum(-2), weights


def load_scene(views=6, H=8, W=8, seed=0):
    rng = np.random.default_rng(seed)
    poses = np.tile(np.eye(3, 4, dtype=np.float32), (views, 1, 1))
    poses[:, :, 3] = rng.normal(0, 0.1, (views, 3)) + [0, 0, 3]
    images = rng.random((views, H * W, 3)).astype(np.float32) * 0.2 + 0.4
    return torch.from_numpy(poses), torch.from_numpy(images), H, W, 9.0


def train(n_iters=90, n_rand=24, n_samples=10):
    torch.manual_seed(0)
    poses, images, H, W, focal = load_scene()
    nerf, cameras = NeRF(), CameraRefiner(poses)
    optimizer = torch.optim.Adam([{"params": nerf.parameters(), "lr": 5e-4},
                                  {"params": cameras.parameters(), "lr": 1e-4}])
    z_vals = torch.linspace(2.0, 4.0, n_samples)
    for it in range(n_iters):
        view = it % len(images)
        cameras.compose()
        rays_o, rays_d, pix = get_rays(cameras, view, H, W, focal, n_rand)
        pts = rays_o[:, None] + rays_d[:, None] * z_vals[:, None]
        rgb, _ = raw2outputs(nerf(pts), z_vals)
        loss = ((rgb - images[view, pix]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 30 == 0:
            psnr = -10 * np.log10(loss.item())
            print(f"[TRAIN] Iter: {it} Loss: {loss.item():.4f} PSNR: {psnr:.2f} |delta| {cameras.delta.abs().mean().item():.5f}")


if __name__ == "__main__":
    train()
