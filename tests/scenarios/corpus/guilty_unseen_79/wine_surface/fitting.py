import torch
import torch.nn.functional as F


def ridge(model, strength=1e-3):
    return strength * model.coef.weight.square().sum()


def make_objective(model, opt, rows):
    """The closure that both kinds of optimizer take."""
    scores, taster, liking = rows
    phi = model.basis(scores)  # <- culprit

    def objective():
        opt.zero_grad()
        loss = F.huber_loss(model.from_basis(phi, taster), liking) + ridge(model)
        loss.backward()  # <- culprit
        return loss

    return objective


def adam_phase(model, panel, epochs, batch):
    opt = torch.optim.Adam(model.parameters(), lr=2e-2)
    curve = []
    for _ in range(epochs):
        for idx in torch.randperm(len(panel.liking))[:300].split(batch):
            curve.append(opt.step(make_objective(model, opt, panel.rows(idx))).item())
    return curve


def polish_phase(model, panel, steps):
    opt = torch.optim.LBFGS(
        model.parameters(), lr=0.8, max_iter=6, history_size=8, line_search_fn="strong_wolfe"
    )
    everything = panel.rows(torch.arange(len(panel.liking)))
    curve = []
    for _ in range(steps):
        curve.append(opt.step(make_objective(model, opt, everything)).item())
    return curve


@torch.no_grad()
def report(model, panel):
    fit = model(panel.scores, panel.taster)
    r2 = 1 - (fit - panel.liking).square().sum() / panel.liking.square().sum()
    print("R2:", round(r2.item(), 3))
    for k, row in enumerate(model.basis.contrast.weight):
        print(f"contrast {k}:", [round(v, 2) for v in row.tolist()])
