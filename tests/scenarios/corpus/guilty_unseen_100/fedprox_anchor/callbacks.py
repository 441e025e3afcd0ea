class Callback:
    def before_round(self, engine):
        pass

    def after_round(self, engine):
        pass


class LrDecay(Callback):
    def __init__(self, every, gamma=0.5):
        self.every, self.gamma = every, gamma

    def after_round(self, engine):
        if (engine.round + 1) % self.every == 0:
            for g in engine.optimizer.param_groups:
                g["lr"] *= self.gamma


class AnchorRefresh(Callback):
    def after_round(self, engine):
        engine.penalty.refresh(engine.net)


class ConsoleLog(Callback):
    def __init__(self, every):
        self.every = every

    def after_round(self, engine):
        if engine.round % self.every == 0:
            print(f"round {engine.round:4d}  {engine.log.rows[-1]}")
