import torch


def init_params(n_features, hidden, gen):
    params = {
        "w1": 0.3 * torch.randn(n_features, hidden, generator=gen),
        "b1": torch.zeros(hidden),
        "w2": 0.3 * torch.randn(hidden, 1, generator=gen),
    }
    return {k: v.requires_grad_() for k, v in params.items()}


def log_risk(params, x):
    h = torch.tanh(x @ params["w1"] + params["b1"])
    return (h @ params["w2"]).squeeze(1)


def cox_loss(score, time, event):
    order = torch.argsort(time, descending=True)
    score = score[order]
    event = event[order]
    log_cum = torch.logcumsumexp(score, dim=0)
    return -((score - log_cum) * event).sum() / event.sum().clamp(min=1)


def c_index(score, time, event):
    longer = time.unsqueeze(0) > time.unsqueeze(1)
    valid = longer & (event.unsqueeze(1) > 0)
    concordant = score.unsqueeze(1) > score.unsqueeze(0)
    return (concordant & valid).sum().item() / max(valid.sum().item(), 1)
