import torch


def fit_side(U, V, ratings, mask, side, ridge=1e-3):
    free, fixed = (U, V) if side == "rows" else (V, U)
    held = fixed.detach()
    opt = torch.optim.LBFGS([free], lr=0.5, max_iter=4, history_size=5)
    values = []

    def closure():
        opt.zero_grad()
        guess = free @ held.t() if side == "rows" else held @ free.t()
        loss = ((guess - ratings)[mask]).square().mean() + ridge * free.square().mean()
        loss.backward()
        values.append(loss)
        return loss

    opt.step(closure)
    return min(v.item() for v in values)
