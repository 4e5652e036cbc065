"""Chinese poker, closed and open-face: play it, study it, train at it."""
