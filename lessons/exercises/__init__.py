"""What the checks of the lessons know: outcomes, how an answer is judged, each exercise."""
