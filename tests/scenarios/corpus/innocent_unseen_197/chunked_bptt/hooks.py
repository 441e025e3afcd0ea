class TruncateHook:
    def __init__(self, horizon):
        self.horizon = horizon

    def after_step(self, trainer):
        if len(trainer.ledger) < self.horizon:
            return
        loss = trainer.ledger.settle()
        trainer.opt.zero_grad()
        loss.backward()
        trainer.opt.step()
        trainer.state = trainer.state.cut()
        trainer.ledger.curve.append(loss.item())


class ReportHook:
    def __init__(self, every):
        self.every = every

    def after_step(self, trainer):
        curve = trainer.ledger.curve
        if trainer.tick % self.every == 0 and curve:
            tail = curve[-10:]
            print(f"tick {trainer.tick} loss {sum(tail) / len(tail):.4f}")
