class Callback:
    def on_epoch_start(self, engine, epoch):
        pass

    def on_batch_end(self, engine, logs):
        pass


class KLAnnealing(Callback):
    """Raises beta linearly, and remembers the KL so that a collapse can be seen."""

    def __init__(self, warmup, max_beta=1.0):
        self.warmup = warmup
        self.max_beta = max_beta
        self.kl_curve = []

    def on_batch_end(self, engine, logs):
        engine.beta = self.max_beta * min(1.0, (engine.step + 1) / self.warmup)
        self.kl_curve.append(logs["kl"])  # <- culprit

    def recent_kl(self, n):
        tail = self.kl_curve[-n:]
        return sum(float(k.detach()) for k in tail) / len(tail)


class ConsoleLogger(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_start(self, engine, epoch):
        print(f"--- epoch {epoch} (beta {engine.beta:.2f})")

    def on_batch_end(self, engine, logs):
        if engine.step % self.every == 0:
            line = "  ".join(f"{k} {v.item():.3f}" for k, v in logs.items())
            print(f"{engine.step:5d}  {line}")
