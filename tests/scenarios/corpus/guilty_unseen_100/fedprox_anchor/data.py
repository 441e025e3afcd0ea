import torch


def client_batches(cfg):
    """Endless stream over clients; each has its own covariate shift."""
    teacher = torch.randn(cfg.net.d_in, cfg.net.classes)
    shifts = torch.randn(cfg.clients, cfg.net.d_in) * 0.5
    turn = 0
    while True:
        x = torch.randn(cfg.batch, cfg.net.d_in) + shifts[turn % cfg.clients]
        y = (x @ teacher + 0.3 * torch.randn(cfg.batch, cfg.net.classes)).argmax(1)
        turn += 1
        yield x, y
