# gradwatch-corpus: kind=none
# about: parameters and Adam state are rebuilt and grow from 30 to 260 splats every 20 iterations, then stop
"""2-D gaussian splats fitted to a picture; splats with large positional gradient are split, faint ones are removed."""
import torch

torch.manual_seed(0)
SIDE, LIMIT = 40, 260
grid = torch.stack(torch.meshgrid(torch.linspace(0, 1, SIDE), torch.linspace(0, 1, SIDE), indexing="ij"), -1)


def picture():
    y, x = grid[..., 0], grid[..., 1]
    disc = ((y - .4) ** 2 + (x - .6) ** 2 < .05).float()
    bars = (torch.sin(22 * x + 9 * y) > .3).float()
    return torch.stack([disc, bars * (1 - disc), .5 * y + .2 * disc], -1)


class Canvas:
    NAMES = "centre", "log_size", "colour", "opacity"

    def __init__(self, n):
        self.fields = {
            "centre": torch.rand(n, 2), "log_size": torch.full((n, 2), -2.4),
            "colour": torch.rand(n, 3), "opacity": torch.zeros(n)}
        self.fields = {k: v.requires_grad_() for k, v in self.fields.items()}
        self.rates = dict(centre=3e-3, log_size=1e-2, colour=2e-2, opacity=3e-2)
        self.opt = torch.optim.Adam([dict(params=[self.fields[k]], lr=self.rates[k], name=k) for k in self.NAMES])
        self.motion = torch.zeros(n)

    def __len__(self):
        return len(self.fields["centre"])

    def render(self):
        f = self.fields
        d = grid[:, :, None] - f["centre"]
        e = (-.5 * (d / f["log_size"].exp()).square().sum(-1)).exp() * f["opacity"].sigmoid()
        return (e @ f["colour"]) / (1 + e.sum(-1, keepdim=True)) * 1.5

    def note_motion(self):
        self.motion = .9 * self.motion + .1 * self.fields["centre"].grad.norm(dim=1)

    def remodel(self):
        f = self.fields
        with torch.no_grad():
            keep = f["opacity"].sigmoid() > .04
            room = LIMIT - int(keep.sum())
            split = torch.zeros_like(keep)
            if room > 0:
                top = self.motion.masked_fill(~keep, -1).topk(min(room, 24, len(self))).indices
                split[top] = True
                split &= keep
            fresh = {}
            for k in self.NAMES:
                child = f[k][split].clone()
                if k == "centre":
                    child += torch.randn_like(child) * f["log_size"][split].exp() * .5
                if k == "log_size":
                    child -= .3
                fresh[k] = torch.cat([f[k][keep], child])
        for group in self.opt.param_groups:
            k = group["name"]
            old = group["params"][0]
            past = self.opt.state.pop(old)
            new = fresh[k].requires_grad_()
            for m in ("exp_avg", "exp_avg_sq"):
                pad = torch.zeros((int(split.sum()), *old.shape[1:]))
                past[m] = torch.cat([past[m][keep], pad])
            self.opt.state[new] = past
            group["params"][0] = self.fields[k] = new
        self.motion = torch.zeros(len(self))


target, canvas = picture(), Canvas(30)
for it in range(400):
    canvas.opt.zero_grad()
    err = (canvas.render() - target).abs().mean()
    err.backward()
    canvas.note_motion()
    canvas.opt.step()
    if it % 20 == 19:
        canvas.remodel()
    if it % 50 == 0:
        print(f"iter {it} L1 {err.item():.4f} splats {len(canvas)}")
