import copy


class EarlyStopping:
    def __init__(self, patience=7, delta=0.0):
        self.patience, self.delta = patience, delta
        self.best = None
        self.best_weights = None
        self.counter = 0
        self.scores = []
        self.should_stop = False

    def __call__(self, val_loss, model):
        self.scores.append(val_loss)  # <- culprit
        if self.best is None or val_loss < self.best - self.delta:
            self.best = val_loss.item()
            self.best_weights = copy.deepcopy(model.state_dict())
            self.counter = 0
        else:
            self.counter += 1
            self.should_stop = self.counter >= self.patience
