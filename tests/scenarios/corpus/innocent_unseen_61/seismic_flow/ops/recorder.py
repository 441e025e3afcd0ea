"""Ring of the latest training steps, kept whole for inspection after a failure."""
import json
from collections import deque
from contextlib import contextmanager


class FlightRecorder:
    """Frames hold the live tensors, so that a debugger may walk their graphs after a crash."""

    def __init__(self, keep):
        self.frames = deque(maxlen=keep)
        self.failed_at = None

    @contextmanager
    def watch(self, step):
        frame = {"step": step}
        self.frames.append(frame)
        try:
            yield frame
        except Exception:
            self.failed_at = step
            raise

    def report(self):
        rows = [{k: round(float(f[k]), 4) for k in ("step", "loss", "grad_norm")} for f in self.frames]
        return json.dumps({"failed_at": self.failed_at, "last": rows[-2:]})
