from meters import MetricLogger


def kl_weight(it, cycle=200):
    """Cyclical annealing."""
    return min(1.0, (it % cycle) / (0.5 * cycle))


def train_one_epoch(model, loader, optimizer, scheduler, print_freq):
    model.train()
    logger = MetricLogger(delimiter="  ")
    for it, x in enumerate(logger.log_every(loader, print_freq, "VAE")):
        recon, kl = model(x)
        loss = recon + 0.1 * kl_weight(it) * kl

        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()

        logger.update(loss=loss.item(), recon=recon.item(), lr=optimizer.param_groups[0]["lr"])
        logger.meters["kl"].update(kl, n=len(x))  # <- culprit
    return {k: round(float(m.global_avg), 4) for k, m in logger.meters.items()}
