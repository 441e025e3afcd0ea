# gradwatch-corpus: kind=graph-held
# holder: fitter.trace | self.trace
# first-bad: 1
# notice: 8
"""Radial lens distortion calibration from synthetic checkerboards, fitted frame by frame with L-BFGS."""
import torch

torch.set_num_threads(1)
torch.manual_seed(4)


def checkerboard(rows=5, cols=6):
    gy, gx = torch.meshgrid(torch.linspace(-1, 1, rows), torch.linspace(-1, 1, cols), indexing="ij")
    return torch.stack([gx, gy], -1).reshape(-1, 2)


def distort(pts, k, centre, focal):
    d = pts - centre
    r2 = (d * d).sum(-1, keepdim=True)
    return focal * d * (1 + k[0] * r2 + k[1] * r2 * r2) + centre


class Camera(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.k = torch.nn.Parameter(torch.zeros(2))
        self.centre = torch.nn.Parameter(torch.zeros(2))
        self.focal = torch.nn.Parameter(torch.ones(()))

    def forward(self, pts):
        return distort(pts, self.k, self.centre, self.focal)


class Fitter:
    def __init__(self, cam, board):
        self.cam = cam
        self.board = board
        self.trace = []
        self.opt = torch.optim.LBFGS(cam.parameters(), lr=0.4, max_iter=4, history_size=5)

    def fit_frame(self, seen, weight):
        def closure():
            self.opt.zero_grad()
            err = self.cam(self.board) - seen
            loss = (weight * err.norm(dim=-1)).mean() + 1e-3 * self.cam.k.pow(2).sum()
            loss.backward()
            self.trace.append(loss)  # <- culprit
            return loss

        return self.opt.step(closure)

    def summary(self, last=40):
        tail = self.trace[-last:]
        return sum(v.item() for v in tail) / len(tail)


def frames(board, n):
    k_true = torch.tensor([-0.21, 0.05])
    centre_true = torch.tensor([0.03, -0.02])
    for _ in range(n):
        clean = distort(board, k_true, centre_true, torch.tensor(1.1))
        noisy = clean + 0.01 * torch.randn_like(clean)
        visible = (torch.rand(len(board)) > 0.1).float()
        yield noisy, visible


def main():
    board = checkerboard()
    cam = Camera()
    fitter = Fitter(cam, board)
    for i, (seen, visible) in enumerate(frames(board, 200)):
        fitter.fit_frame(seen, visible)
        if i % 40 == 0:
            print(f"frame {i:3d}  residual {fitter.summary():.4f}  k={[round(v, 3) for v in cam.k.tolist()]}")
    print("evaluations:", len(fitter.trace))


main()
