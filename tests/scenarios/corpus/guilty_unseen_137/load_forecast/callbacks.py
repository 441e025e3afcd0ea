class Callback:
    def on_batch_end(self, step, logs):
        pass

    def on_train_end(self):
        pass


class ForecastSnapshot(Callback):
    """Remembers the first forecast of every batch for the fan chart in the report."""

    def __init__(self):
        self.kept = []

    def on_batch_end(self, step, logs):
        self.kept.append((step, logs["pred"][0], logs["target"][0]))  # <- culprit

    def on_train_end(self):
        last = self.kept[-50:]
        mae = sum(float((p - t).abs().mean()) for _, p, t in last) / len(last)
        print(f"fan chart over {len(self.kept)} forecasts, recent MAE {mae:.3f}")
